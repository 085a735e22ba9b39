/** Every quotation mark of Unicode, and signs that are used as one. */
const anyMark = /[\p{Quotation_Mark}´❛-❠❮❯《》〈〉\u{1F676}-\u{1F678}]/u
const marks = new RegExp(anyMark, 'gu')
const apostrophe = /(?<=[\p{L}\p{N}])['’](?=[\p{L}\p{N}])/gu
const pairs = new Set(['""', "''", '“”', '„“', '„”', '‘’', '‚‘', '‚’', '«»', '‹›', '「」', '『』', '《》', '〈〉'])

/** Whether a piece of a line has a quotation mark without its pair; apostrophes are none. */
export function hasOpenMark(piece: string): boolean {
  if (!anyMark.test(piece)) return false
  const text = piece.replace(apostrophe, '')
  const found = [...text.matchAll(marks)]
  return found.some(({ 0: open, index }, at) => at % 2 === 0 && !isPair(text, { open, index }, found[at + 1]))
}

function isPair(
  text: string,
  { open, index }: { readonly open: string; readonly index: number },
  close: RegExpExecArray | undefined,
): boolean {
  if (close === undefined || !pairs.has(open + close[0])) return false
  if (open !== close[0]) return true
  // Equal marks at both ends must also be read as a pair: the first may close an earlier one.
  const before = text.slice(Math.max(0, index - 2), index)
  const behind = text.slice(close.index + 1, close.index + 3)
  return (
    !/[\p{L}\p{N}]$/u.test(before) &&
    !/^[\p{L}\p{N}]/u.test(behind) &&
    /\S/.test(text.charAt(index + 1)) &&
    /\S/.test(text.charAt(close.index - 1))
  )
}

/** Whether a piece of a line has any quotation mark; apostrophes are none. */
export function hasMark(piece: string): boolean {
  return anyMark.test(piece) && anyMark.test(piece.replace(apostrophe, ''))
}

/** Whether a piece of a line has markup that may hold what follows, over blank lines too: HTML, its entities, tags in brackets. */
export function hasMarkup(piece: string): boolean {
  // Some servers keep the opening tag of reasoning to themselves.
  return piece !== '</think>' && /<[a-z/!?]|&(?:#\w{1,8}|\w{1,32});|\[\/?(?:quote|code|cite)\b/i.test(piece)
}

/** Whether a line can only be a line of a paragraph: no white space and no sign of a block starts it. */
export function startsAsProse(line: string): boolean {
  return /^(?!\d{1,9}[.)])[^\s!-/:-@[-`{-~]/.test(line)
}

/** Whether a piece of a line has nothing that could start code, HTML, a link or a cell of a table. */
export function isPlain(piece: string): boolean {
  return !/[`<>\\|[\]]/.test(piece)
}

/** Whether a piece of a line is blank for CommonMark, for which only spaces and tabs are. */
export function isBlankPiece(piece: string): boolean {
  return !/[^ \t]/.test(piece)
}
