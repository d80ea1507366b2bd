// SPDX-License-Identifier: Apache-2.0
// The time that is shown: playing, paused, sought; and the range of time that the plots show.

export interface Range { from: number; to: number }
type Listener = () => void;

const seconds = 15; // that the visible range takes when the speed is automatic

export class Player {
    time: number;
    range: Range;
    isPlaying = false;
    /** seconds of the motion for each second of the clock; 0 = automatic */
    speed = 0;
    private last = 0;
    private timeListeners: Listener[] = [];
    private rangeListeners: Listener[] = [];

    constructor(readonly whole: Range) {
        this.range = { ...whole };
        this.time = whole.from;
    }

    onTime(listener: Listener): void { this.timeListeners.push(listener); }
    onRange(listener: Listener): void { this.rangeListeners.push(listener); }

    get rate(): number {
        return this.speed > 0 ? this.speed : roundRate((this.range.to - this.range.from) / seconds);
    }

    get isZoomed(): boolean {
        return this.range.from > this.whole.from || this.range.to < this.whole.to;
    }

    seek(time: number): void {
        this.time = Math.min(this.whole.to, Math.max(this.whole.from, time));
        for (const listener of this.timeListeners) listener();
    }

    zoom(from: number, to: number): void {
        const least = 1e-9 * Math.max(1e-300, this.whole.to - this.whole.from);
        const a = Math.max(this.whole.from, Math.min(from, to)), b = Math.min(this.whole.to, Math.max(from, to));
        if (!(b - a > least) || (a === this.range.from && b === this.range.to)) return;
        this.range = { from: a, to: b };
        for (const listener of this.rangeListeners) listener();
        if (this.time < a || this.time > b) this.seek(a);
    }

    /** Makes the range larger (factor > 1) or smaller around the time shown. */
    scale(factor: number): void {
        const { from, to } = this.range;
        const middle = this.time >= from && this.time <= to ? this.time : (from + to) / 2;
        this.zoom(middle - (middle - from) * factor, middle + (to - middle) * factor);
    }

    reset(): void { this.zoom(this.whole.from, this.whole.to); }

    toggle(): void {
        this.isPlaying = !this.isPlaying;
        if (this.isPlaying) {
            if (this.time >= this.range.to || this.time < this.range.from) this.time = this.range.from;
            this.last = performance.now();
            requestAnimationFrame(this.tick);
        }
        this.seek(this.time);
    }

    /** Shows a time as it looks while the motion goes on at a rate: for films. */
    film(time: number, rate: number): void {
        this.speed = rate;
        this.isPlaying = true;
        this.seek(time);
    }

    private tick = (now: number): void => {
        if (!this.isPlaying) return;
        const passed = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
        this.last = now;
        let next = this.time + passed * this.rate;
        if (next >= this.range.to) {
            // a part is shown again and again, the whole once
            next = this.isZoomed ? this.range.from : this.range.to;
            this.isPlaying = this.isZoomed;
        }
        this.seek(next);
        if (this.isPlaying) requestAnimationFrame(this.tick);
    };
}

/** 1, 2 or 5 times a power of ten. */
export function roundRate(rate: number): number {
    const power = 10 ** Math.floor(Math.log10(rate || 1)), ratio = rate / power;
    return power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
}

export function rateText(rate: number): string {
    if (rate === 1) return "real time";
    return rate > 1 ? `${Number(rate.toPrecision(2))}× speed` : `1/${Number((1 / rate).toPrecision(2))} speed`;
}
