const fetchText = async (url: string) => await (await fetch(url)).text();

/** Returns the font of n8n's editor as a CSS rule, for pages that would load theirs from the internet. */
export async function editorFont(baseUrl: string, family: string): Promise<string> {
	const [, styles = ''] = /href="([^"]+\/index-[^"]+\.css)"/.exec(await fetchText(baseUrl)) ?? [];
	const [, font] =
		/assets\/(InterVariable-[^I][^"')]*\.woff2)/.exec(await fetchText(`${baseUrl}${styles}`)) ?? [];
	if (font === undefined) throw new Error(`The font of n8n's editor is not in ${styles}`);
	const content = Buffer.from(await (await fetch(`${baseUrl}/assets/${font}`)).arrayBuffer());
	const source = `url(data:font/woff2;base64,${content.toString('base64')})`;
	return `@font-face { font-family: '${family}'; font-weight: 100 900; src: ${source} format('woff2'); }`;
}
