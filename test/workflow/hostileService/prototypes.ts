/** What every object of this process shares; data of the service must never change it. */
const SHARED: Array<[string, object]> = [
	['Object', Object],
	['Object.prototype', Object.prototype],
	...Reflect.ownKeys(Object.prototype).flatMap((name): Array<[string, object]> => {
		const value = valueOf(Object.prototype, name);
		return typeof value === 'function' ? [[`Object.prototype.${String(name)}`, value]] : [];
	}),
	['Function.prototype', Function.prototype],
	['Array.prototype', Array.prototype],
	['String.prototype', String.prototype],
	['Map.prototype', Map.prototype],
	['Promise.prototype', Promise.prototype],
];

function valueOf(object: object, name: PropertyKey): unknown {
	return Reflect.getOwnPropertyDescriptor(object, name)?.value;
}

type Snapshot = Array<[string, object, Map<string | symbol, unknown>]>;

const propertiesOf = (object: object) =>
	new Map(Reflect.ownKeys(object).map((name) => [name, valueOf(object, name)]));

export const snapshotPrototypes = (): Snapshot =>
	SHARED.map(([title, object]) => [title, object, propertiesOf(object)]);

/** Names of the shared properties that were added, changed or removed since; puts back what was there. */
export function changesSince(snapshot: Snapshot): string[] {
	const changes: string[] = [];
	for (const [title, object, before] of snapshot) {
		const now = propertiesOf(object);
		for (const name of new Set([...before.keys(), ...now.keys()])) {
			const isSame = before.has(name) && now.has(name) && Object.is(before.get(name), now.get(name));
			if (isSame) continue;
			changes.push(`${title}.${String(name)}`);
			// Or every later test would fail, and jest with them.
			if (before.has(name)) Reflect.set(object, name, before.get(name));
			else Reflect.deleteProperty(object, name);
		}
	}
	return changes;
}
