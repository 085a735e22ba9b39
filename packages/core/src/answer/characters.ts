/** Whether a code unit is a digit from 0 to 9. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Whether a code unit is the first half of a character that takes two. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
