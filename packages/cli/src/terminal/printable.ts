/** What a terminal would act on or hide: control characters, lone surrogates, invisible and bidirectional characters. Joiners stay because emoji need them. */
const unsafe = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const unsafeInLines = /(?!\u200c|\u200d|\n|\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A text as one line that is safe to print on a terminal; other characters are escaped. */
export function printable(text: string): string {
  return text.replace(unsafe, escapeCharacter)
}

/** A multi-line text that is safe to print on a terminal. */
export function printableLines(text: string): string {
  return text.replace(unsafeInLines, escapeCharacter)
}

/** Equivalent JSON that is safe to print on a terminal and in the log of GitHub Actions, which takes `##[` for a command. */
export function safeJson(value: unknown, indent?: number): string {
  // Line breaks of the indentation are the only control characters that JSON does not escape.
  return JSON.stringify(value, undefined, indent)
    .replaceAll('##[', '##\\u005b')
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      Array.from({ length: character.length }, (_, index) => `\\u${hex(character.charCodeAt(index), 4)}`).join(''),
    )
}

const short: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return short.get(character) ?? (code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 1)}}`)
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
