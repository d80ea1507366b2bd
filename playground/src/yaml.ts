// SPDX-License-Identifier: Apache-2.0
// A YAML text as the events that the library's reader asks for (src/modelfile/yaml/yaml.h): parsed by the package `yaml`,
// with every place, and written as one block of memory (src/modelfile/yaml/yaml_browser.c says how it lies there). No rule
// of model files is here: what may stand where is for the reader to say, the same one as in the command.
import { Composer, CST, isAlias, isMap, isScalar, isSeq, Parser, type Document, type ParsedNode, type YAMLError } from "yaml";

enum Kind { Other, StreamEnd, Text, List, Mapping, ListEnd, MappingEnd, Mark, Wrong }
enum Style { Plain, Quoted, Block }
/** at: where it would be, of what is not there */
interface Event { kind: Kind; at?: number; start?: number; end?: number; style?: Style; isFlow?: boolean; text?: string }

const wordsOfEvent = 10;

interface Wrong { at: number; words: string }

const isBlank = (c: string | undefined): boolean => c === " " || c === "\t";
function skipBlanks(text: string, at: number): number {
    while (isBlank(text[at])) at++;
    return at;
}

// a list or mapping in brackets that does not end where it must
function openBracket(text: string, at: number, message: string): Wrong {
    const what = /Flow map/.test(message) ? "mapping" : "sequence", found = text[at] ?? "";
    if (found === "]" || found === "}") return { at, words: `mismatched flow ${found === "]" ? "sequence" : "mapping"} end` };
    return { at, words: what === "mapping" ? "missing comma in flow mapping" : "flow sequence without a closing bracket" };
}

// what stands behind a node that has ended
function rest(text: string, at: number, message: string): Wrong {
    if (/block-seq-ind/.test(message)) return { at, words: "block sequence on the same line as a mapping key" };
    if (/flow-(seq|map)-start/.test(message)) return { at, words: "missing comma in flow mapping" };
    let before = at - 1;
    while (before > 0 && isBlank(text[before])) before--;
    const quote = text[before] === '"' ? "double-quoted scalar" : text[before] === "'" ? "single-quoted scalar" : "a text";
    return { at, words: `invalid trailing content after ${quote}` };
}

// a line that is neither a key nor an item
function lonely(text: string, at: number): Wrong {
    return { at, words: text[at] === "-" ? "did not find expected key" : "could not find expected ':'" };
}

// The reader knows ways out for what libfyaml says (src/modelfile/traps.c): so the same is said here, at the same place.
function explain(text: string, error: YAMLError, quotes: number[]): Wrong {
    const { message } = error, at = Math.min(error.pos[0], text.length), visible = skipBlanks(text, at);
    switch (error.code) {
        case "BAD_SCALAR_START": return { at, words: "plain scalar cannot start with this character" };
        case "BLOCK_AS_IMPLICIT_KEY":
            return { at: at + Math.max(0, text.slice(at).search(/:(\s|$)/)), words: "invalid nested block mapping on the same line" };
        case "BAD_INDENT":
            if (/^Flow/.test(message)) return openBracket(text, at, message);
            return { at: visible, words: "invalid indentation in mapping: wrongly indented" };
        case "MULTILINE_IMPLICIT_KEY": return lonely(text, at);
        case "UNEXPECTED_TOKEN": return rest(text, at, message);
        case "MISSING_CHAR": break;
        default: return { at, words: message };
    }
    if (/closing .quote/.test(message)) {
        const start = quotes.filter((q) => q < at).pop() ?? at;
        return { at: start + 1, words: `${text[start] === "'" ? "single" : "double"}-quoted scalar without closing quote` };
    }
    if (/without - indicator/.test(message)) return { at: visible, words: "did not find expected '-' indicator" };
    if (/followed by map values/.test(message)) return lonely(text, at);
    return /,/.test(message) ? { at, words: "missing comma in flow mapping" } : { at, words: message };
}

// the offsets of anchors, tags and aliases, or of texts in quotes, in their order
function offsetsOf(tokens: CST.Token[], wanted: string[]): number[] {
    const found: number[] = [];
    const look = (token: CST.Token | CST.SourceToken | null | undefined): void => {
        if (!token) return;
        if (wanted.includes(token.type)) found.push(token.offset);
        if (token.type === "document") for (const t of token.start) look(t);
        if ("props" in token && token.type === "block-scalar") for (const t of token.props) look(t);
        if ("value" in token && token.type === "document") look(token.value);
        if ("items" in token)
            for (const item of token.items) {
                for (const t of item.start) look(t);
                if ("key" in item) look(item.key);
                if ("sep" in item) for (const t of item.sep ?? []) look(t);
                look(item.value);
            }
    };
    for (const token of tokens) look(token);
    return found.sort((a, b) => a - b);
}

class Listener {
    readonly events: Event[] = [];
    constructor(private readonly text: string, private readonly marks: number[], private readonly stop: number) {}

    /** false: an error or a mark comes first, and nothing after it */
    private say(event: Event): boolean {
        const at = event.start ?? event.at ?? -1;
        const mark = this.marks[0];
        if (mark !== undefined && mark <= at && mark < this.stop) {
            this.events.push({ kind: Kind.Mark, start: mark });
            return false;
        }
        if (at >= this.stop) return false;
        this.events.push(event);
        return true;
    }

    node(node: ParsedNode | null): boolean {
        if (!node) return this.say({ kind: Kind.Text });
        const [start, end] = node.range;
        if (isAlias(node)) return this.say({ kind: Kind.Mark, start });
        if (isScalar(node)) return this.say(this.scalar(String(node.value ?? ""), node.type ?? "PLAIN", start, end));
        const isFlow = node.flow === true;
        if (!this.say({ kind: isSeq(node) ? Kind.List : Kind.Mapping, start, isFlow })) return false;
        if (isSeq(node)) for (const item of node.items) { if (!this.node(item as ParsedNode | null)) return false; }
        if (isMap(node))
            for (const pair of node.items)
                if (!this.node(pair.key as ParsedNode | null) || !this.node(pair.value as ParsedNode | null)) return false;
        return this.say({ kind: isSeq(node) ? Kind.ListEnd : Kind.MappingEnd, start: Math.max(start, end - 1) });
    }

    private scalar(text: string, type: string, start: number, end: number): Event {
        if (type === "PLAIN") return end > start ? { kind: Kind.Text, start, end, style: Style.Plain, text } : { kind: Kind.Text, at: start };
        if (type === "QUOTE_SINGLE" || type === "QUOTE_DOUBLE")
            return { kind: Kind.Text, start: start + 1, end: end - 1, style: Style.Quoted, text };
        const line = this.text.indexOf("\n", start);
        return { kind: Kind.Text, start: line < 0 ? end : line + 1, end, style: Style.Block, text };
    }
}

function firstError(documents: Document.Parsed[]): YAMLError | null {
    const all: YAMLError[] = documents.flatMap((d) => d.errors);
    return all.reduce<YAMLError | null>((first, e) => (!first || e.pos[0] < first.pos[0] ? e : first), null);
}

function eventsOf(text: string): Event[] {
    const tokens = [...new Parser().parse(text)];
    const documents = [...new Composer({ schema: "failsafe", uniqueKeys: false, prettyErrors: false, logLevel: "silent" })
        .compose(tokens)] as Document.Parsed[];
    const error = firstError(documents), marks = offsetsOf(tokens, ["anchor", "tag", "alias"]);
    const wrong = error ? explain(text, error, offsetsOf(tokens, ["double-quoted-scalar", "single-quoted-scalar"])) : null;
    const listener = new Listener(text, marks, wrong ? wrong.at : Infinity), { events } = listener;
    events.push({ kind: Kind.Other });
    const [first, second] = documents;
    if (first && (first.contents || first.directives?.docStart)) {
        events.push({ kind: Kind.Other });
        if (listener.node(first.contents) && !error) {
            events.push({ kind: Kind.Other });
            if (second) events.push({ kind: Kind.Other, start: second.range[0] });
            else events.push({ kind: Kind.StreamEnd });
            return events;
        }
        if (events[events.length - 1]?.kind === Kind.Mark) return events;
    }
    if (wrong) events.push({ kind: Kind.Wrong, start: wrong.at, text: wrong.words });
    else events.push({ kind: Kind.StreamEnd });
    return events;
}

/** Bytes, line and column of offsets in a text, asked for in any order. */
class Places {
    private readonly bytes: Uint32Array;
    private readonly lines: number[] = [0];
    constructor(private readonly text: string) {
        this.bytes = new Uint32Array(text.length + 1);
        for (let i = 0; i < text.length; i++) {
            const c = text.charCodeAt(i);
            const isLow = c >= 0xdc00 && c < 0xe000; // counted with the half before it
            const n = c < 0x80 ? 1 : c < 0x800 ? 2 : isLow ? 0 : c >= 0xd800 && c < 0xdc00 ? 4 : 3;
            this.bytes[i + 1] = (this.bytes[i] as number) + n;
            if (c === 10) this.lines.push(i + 1);
        }
    }
    byte(at: number): number { return this.bytes[Math.min(at, this.text.length)] as number; }
    place(at: number): [line: number, column: number] {
        let low = 0, high = this.lines.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if ((this.lines[middle] as number) <= at) low = middle;
            else high = middle - 1;
        }
        return [low + 1, [...this.text.slice(this.lines[low] as number, at)].length + 1];
    }
}

function pack(text: string, events: Event[]): Uint8Array {
    const places = new Places(text), encoder = new TextEncoder();
    const texts = events.map((e) => (e.text === undefined ? null : encoder.encode(e.text)));
    const head = 4 * (1 + wordsOfEvent * events.length);
    const block = new Uint8Array(head + texts.reduce((n, t) => n + (t ? t.length : 0), 0));
    const word = new Int32Array(block.buffer, 0, 1 + wordsOfEvent * events.length);
    word[0] = events.length;
    let used = 0;
    events.forEach((e, i) => {
        const [line, column] = e.start === undefined ? [0, 0] : places.place(e.start), bytes = texts[i];
        word.set([e.kind, e.start === undefined ? 0 : places.byte(e.start), e.end === undefined ? 0 : places.byte(e.end),
            line, column, e.style ?? 0, e.isFlow ? 1 : 0, bytes ? 1 : 0, used, bytes ? bytes.length : 0], 1 + wordsOfEvent * i);
        if (!bytes) return;
        block.set(bytes, head + used);
        used += bytes.length;
    });
    return block;
}

/** What the library asks for: UTF-8 in, a block of events out. */
export function parseYaml(bytes: Uint8Array): Uint8Array {
    const text = new TextDecoder().decode(bytes);
    try {
        return pack(text, eventsOf(text));
    } catch (e) {
        // nesting without end
        const words = e instanceof RangeError ? "depth limit exceeded" : String(e);
        return pack(text, [{ kind: Kind.Other }, { kind: Kind.Wrong, start: 0, text: words }]);
    }
}
