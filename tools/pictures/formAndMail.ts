import { utils } from '@e965/xlsx'; // eslint-disable-line @n8n/community-nodes/no-restricted-imports -- not published
import type { Page } from '../../test/e2e/browser/window';
import type { ParsedMail } from '../../test/e2e/outside/mailServer';
import { fillInForm, submitForm } from '../../test/e2e/templates/form';
import { readSheet } from '../../test/readSheet';
import { boxAround, type Box } from './boxes';
import { fontsAndImagesLoaded } from './picture';

const WIDTH = 1200;

/** The font that n8n's page with a form loads from the internet. */
const FONT = 'Open Sans';

/** A page with a form that is filled in, and the mail that the form brings. */
export class FormAndMail {
	constructor(
		private readonly page: Page,
		/** Address of the n8n with the form. */
		private readonly baseUrl: string,
	) {}

	/** Fills in and submits the template's form. Returns a picture of its last page. */
	async submit(url: string, email: string, prospectorWorkflow: string): Promise<Buffer> {
		const { page } = this;
		const font = await editorFont(this.baseUrl, FONT);
		await page.route(/^https:/, async (route) => {
			const isFont = route.request().url().includes('fonts.googleapis.com');
			await (isFont ? route.fulfill({ contentType: 'text/css', body: font }) : route.abort());
		});
		await page.setViewportSize({ width: 600, height: 700 });
		await fillInForm(page, url, email, prospectorWorkflow);
		await page.evaluate(fontsAndImagesLoaded);
		const picture = await page.locator('.card').first().screenshot();
		await submitForm(page);
		return picture;
	}

	/**
	 * Shows the picture of a form beside a mail with an Excel file, which becomes a table.
	 *
	 * @returns the part of the page with both
	 */
	async show(form: Buffer, mail: ParsedMail): Promise<Box> {
		const { page } = this;
		await page.goto('about:blank');
		await page.setViewportSize({ width: WIDTH, height: 800 });
		await page.setContent(`<style>${await editorFont(this.baseUrl, FONT)}${STYLE}</style>
			<main>
				<img alt="" src="data:image/png;base64,${form.toString('base64')}">
				<span>→</span>
				${mailAsHtml(mail)}
			</main>`);
		return await boxAround(page.locator('main'));
	}
}

const fetchText = async (url: string) => await (await fetch(url)).text();

/** Returns the font of n8n's editor as a CSS rule, for pages that would load theirs from the internet. */
async function editorFont(baseUrl: string, family: string): Promise<string> {
	const [, styles = ''] = /href="([^"]+\/index-[^"]+\.css)"/.exec(await fetchText(baseUrl)) ?? [];
	const [, font] =
		/assets\/(InterVariable-[^I][^"')]*\.woff2)/.exec(await fetchText(`${baseUrl}${styles}`)) ?? [];
	if (font === undefined) throw new Error(`The font of n8n's editor is not in ${styles}`);
	const content = Buffer.from(await (await fetch(`${baseUrl}/assets/${font}`)).arrayBuffer());
	const source = `url(data:font/woff2;base64,${content.toString('base64')})`;
	return `@font-face { font-family: '${family}'; font-weight: 100 900; src: ${source} format('woff2'); }`;
}

function mailAsHtml({ from, to, subject, text, attachments }: ParsedMail): string {
	const [file] = attachments;
	const [header, ...rows] = utils.sheet_to_json<string[]>(readSheet(file.content), { header: 1 });
	const cells = (tag: string, texts: string[]) =>
		`<tr>${texts.map((each) => `<${tag}>${escape(each)}</${tag}>`).join('')}</tr>`;
	return `<article>
		<h1>${escape(subject ?? '')}</h1>
		<p class="people">${escape(from?.text ?? '')}<br>to ${escape([to ?? []].flat()[0].text)}</p>
		<p class="text">${escape((text ?? '').trim())}</p>
		<p class="file">Attachment: ${escape(file.filename ?? '')}</p>
		<table>${cells('th', header)}${rows.map((row) => cells('td', row)).join('')}</table>
	</article>`;
}

const escape = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
	body { margin: 0; font: 14px/1.5 '${FONT}'; color: #2b2b33; }
	main { display: flex; align-items: center; gap: 16px; padding: 24px; background: #f4f5f8; width: ${WIDTH - 48}px; }
	img { width: 350px; border-radius: 8px; }
	span { font-size: 26px; color: #8a8d99; }
	article { flex: 1; background: #fff; border: 1px solid #dbdfe7; border-radius: 8px; padding: 20px 24px; }
	h1 { font-size: 19px; font-weight: 600; margin: 0 0 6px; }
	p { margin: 0 0 14px; }
	.people { color: #6b6e7a; }
	.text { white-space: pre-line; border-top: 1px solid #e6e8ee; padding-top: 14px; }
	.file { font-weight: 600; margin-bottom: 6px; }
	table { border-collapse: collapse; font-size: 13px; width: 100%; }
	th, td { border: 1px solid #dbdfe7; padding: 4px 8px; text-align: left; white-space: nowrap; }
	th { background: #eef0f5; font-weight: 600; }
`;
