import type { Locator, Page } from '../../test/e2e/browser/window';
import sharp from 'sharp';
import { User } from '../../test/e2e/browser/user';
import { boxAround } from './boxes';
import { packageTextsIn } from './picture';

/** Width of the animation in pixels. */
const WIDTH = 900;

/** Milliseconds for which a frame of a movement, or of typing, is shown. */
const STEP_MS = 60;
const PRESS_MS = 200;
const MOVES = 5;

/** Milliseconds in which the viewer sees what an action has changed. */
const PAUSE_MS = 450;

/** The mouse pointer with its tip in the middle, and a ring around it while a button is pressed. */
const pointer = (isPressed: boolean) =>
	Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">
		${isPressed ? '<circle cx="30" cy="30" r="17" fill="#ff6d5a" fill-opacity="0.35" stroke="#ff6d5a" stroke-width="2"/>' : ''}
		<path d="M30 30v20l5-5 4 8 4-2-4-8h7z" fill="#111" stroke="#fff" stroke-width="1.5"/>
	</svg>`);

interface Frame {
	page: Buffer;
	mouse: { x: number; y: number };
	isPressed: boolean;
	durationMs: number;
}

/** A person whose actions are the frames of an animation. How long a frame is shown does not depend on the machine. */
export class FilmedUser extends User {
	private readonly frames: Frame[] = [];
	private readonly texts = new Set<string>();
	private mouse: Frame['mouse'];

	constructor(page: Page) {
		super(page);
		const { width, height } = page.viewportSize()!;
		this.mouse = { x: width * 0.6, y: height * 0.75 };
	}

	override async click(target: Locator): Promise<void> {
		await target.waitFor();
		await this.pause(PAUSE_MS);
		const { x, y, width, height } = await boxAround(target);
		const [from, to] = [this.mouse, { x: x + Math.min(width / 2, 120), y: y + height / 2 }];
		for (let move = 1; move <= MOVES; move++) {
			const part = move / MOVES;
			this.mouse = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
			this.frames.push({ ...this.frames.at(-1)!, mouse: this.mouse, durationMs: STEP_MS });
		}
		await target.hover();
		await this.takeFrame(PRESS_MS, true);
		await super.click(target);
	}

	override async drag(target: Locator, right: number, down: number): Promise<void> {
		const { x, y, width, height } = await boxAround(target);
		await super.drag(target, right, down);
		this.mouse = { x: x + width / 2 + right, y: y + height / 2 + down };
	}

	override async type(text: string): Promise<void> {
		for (const letter of text) {
			await super.type(letter);
			await this.takeFrame(STEP_MS);
		}
	}

	/** Shows the page as it is now. */
	async pause(durationMs: number): Promise<void> {
		const { width, height } = this.page.viewportSize()!;
		const texts = await packageTextsIn(this.page, { x: 0, y: 0, width, height });
		texts.forEach((text) => this.texts.add(text));
		await this.takeFrame(durationMs);
	}

	private async takeFrame(durationMs: number, isPressed = false): Promise<void> {
		// Shows the end of a transition, not a moment of it.
		const page = await this.page.screenshot({ animations: 'disabled' });
		this.frames.push({ page, mouse: this.mouse, isPressed, durationMs });
	}

	/** The package's texts that the animation shows. */
	get shownTexts(): string[] {
		return [...this.texts].sort();
	}

	get durationMs(): number {
		return this.frames.reduce((sum, frame) => sum + frame.durationMs, 0);
	}

	/** Returns the animation as a GIF file. */
	async toGif(): Promise<Buffer> {
		const scale = WIDTH / this.page.viewportSize()!.width;
		const images = await Promise.all(
			this.frames.map(async ({ page, mouse, isPressed }) => {
				const [left, top] = [mouse.x, mouse.y].map((position) => Math.round(position * scale) - 30);
				const small = await sharp(page).resize(WIDTH).toBuffer();
				return await sharp(small)
					.composite([{ input: pointer(isPressed), left, top }])
					.toBuffer();
			}),
		);
		const delay = this.frames.map(({ durationMs }) => durationMs);
		return await sharp(images, { join: { animated: true } })
			.gif({ delay, loop: 0, dither: 0, effort: 10 })
			.toBuffer();
	}
}
