/** Whether a code unit is a digit from 0 to 9. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Whether a code unit is a letter from A to Z, in either case. */
export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

/** Whether a code unit is ASCII punctuation, which a backslash keeps from having a meaning. */
export function isPunctuation(code: number): boolean {
  return (code >= 33 && code <= 47) || (code >= 58 && code <= 64) || (code >= 91 && code <= 96) || (code >= 123 && code <= 126)
}

/** Whether a code unit is the first half of a character that takes two. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** Whether a code unit is the second half of one. */
export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** An offset in a text, or the one before it where it would split a character. */
export function wholeEnd(text: string, end: number): number {
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end
}

/** Whether a text has anything that a reader could see. */
export function hasVisible(text: string): boolean {
  const code = text.charCodeAt(0)
  // The empty pattern of Braille is a sign that shows nothing; most texts begin with something plain.
  return (code > 32 && code < 127) || /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}
