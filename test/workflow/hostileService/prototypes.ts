type Snapshot = Array<Map<PropertyKey, unknown>>;

const valuesOf = (object: object): Map<PropertyKey, unknown> =>
	new Map(
		Object.entries(Object.getOwnPropertyDescriptors(object)).map(([name, { value }]) => [
			name,
			value as unknown,
		]),
	);

/** Objects that all objects of this process share. The service's data must never change them. */
const SHARED = [
	...[Object, Function, Array, String, Map, Promise].flatMap((type): object[] => [type, type.prototype]),
	...[...valuesOf(Object.prototype).values()].filter((value) => typeof value === 'function'),
];

/** Returns the properties of the shared objects, for {@link changesSince}. */
export const snapshotPrototypes = (): Snapshot => SHARED.map(valuesOf);

/** Returns the names of shared properties that were added, changed or removed since the snapshot. */
export const changesSince = (snapshot: Snapshot): string[] =>
	snapshotPrototypes().flatMap((now, index) => {
		const before = snapshot[index];
		const names = [...new Set([...before.keys(), ...now.keys()])].map(String);
		return names.filter((name) => before.has(name) !== now.has(name) || before.get(name) !== now.get(name));
	});
