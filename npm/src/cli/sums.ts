// Lines of digests, as sha1sum writes and reads them. Names are bytes, one character each ("latin1"): on most systems that is
// all that a file's name is.

/** What the reference puts before the name of an attacked file. */
const MARK = '*coll* ';

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };

/** The name without line ends in it, and what to put before the line to say so. */
export function escapeName(name: string): { mark: string; name: string } {
  const escaped = name.replace(/[\\\n\r]/g, (character) => ESCAPES[character]);
  return { mark: escaped === name ? '' : '\\', name: escaped };
}

const SPECIAL = /[ !"$&'()*;<=>?[\\\]^`|]|^[#~]|^[{}]$/;
// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\0-\x1f\x7f]/;
// eslint-disable-next-line no-control-regex -- likewise
const RUNS = /'|[\0-\x1f\x7f]+/g;
const CONTROLS: Record<string, string> = {
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
};

const octal = (character: string) => character.charCodeAt(0).toString(8).padStart(3, '0');

/** The name in a message: as it is, or as a shell would read it, which is how GNU's programs write names. */
export function quoteName(name: string): string {
  if (!CONTROL.test(name)) {
    if (name !== '' && !SPECIAL.test(name)) return name;
    if (name.includes("'") && !/[!"$\\`]/.test(name)) return `"${name}"`;
  }
  const quoted = name.replace(RUNS, (found) => {
    if (found === "'") return "'\\''";
    const codes = [...found].map((character) => `\\${CONTROLS[character] ?? octal(character)}`).join('');
    return `'$'${codes}''`;
  });
  // Between control characters at the end and the last quote there is nothing to quote.
  return CONTROL.test(name.slice(-1)) ? `'${quoted.slice(0, -1)}` : `'${quoted}'`;
}

/** `undefined` for an escape that means nothing. */
function unescapeName(name: string): string | undefined {
  let valid = true;
  const plain = name.replace(/\\([\s\S]?)/g, (_, character: string) => {
    if (character === 'n') return '\n';
    if (character === 'r') return '\r';
    if (character !== '\\') valid = false;
    return character;
  });
  return valid ? plain : undefined;
}

export interface Style {
  tag: boolean;
  zero: boolean;
  binary: boolean;
}

export function formatLine(digest: string, name: string, attacked: boolean, { tag, zero, binary }: Style): string {
  const escaped = zero ? { mark: '', name } : escapeName(name);
  const end = zero ? '\0' : '\n';
  if (tag) return `${escaped.mark}SHA1 (${escaped.name}) = ${digest}${attacked ? ` ${MARK.trimEnd()}` : ''}${end}`;
  const before = attacked ? MARK : binary ? '*' : ' ';
  return `${escaped.mark}${digest} ${before}${escaped.name}${end}`;
}

export interface Sum {
  digest: string;
  name: string;
}

/** BSD's lines, OpenSSL's (without the spaces), ours for an attacked file. */
const TAGGED = /^SHA1 ?\(([\s\S]*)\) ?= ?([0-9a-f]{40})(?: \*coll\*)?$/i;
/** Digest, space, kind, name; or, as some BSDs have it, a single space. */
const ORDINARY = /^([0-9a-f]{40}) (?:(?:\*coll\* |[ *])([\s\S]+)|([^ *][\s\S]*))$/i;

/** Reads a line without its end; `undefined` when it is improperly formatted. */
export function parseLine(line: string): Sum | undefined {
  let text = line.replace(/^[ \t]+/, '');
  const escaped = text.startsWith('\\');
  if (escaped) text = text.slice(1);
  const tagged = TAGGED.exec(text);
  const ordinary = tagged ? null : ORDINARY.exec(text);
  if (!tagged && !ordinary) return undefined;
  const given = tagged ? tagged[1] : (ordinary![2] ?? ordinary![3]);
  const digest = tagged ? tagged[2] : ordinary![1];
  const name = escaped ? unescapeName(given) : given;
  return name === undefined || name === '' ? undefined : { digest: digest.toLowerCase(), name };
}
