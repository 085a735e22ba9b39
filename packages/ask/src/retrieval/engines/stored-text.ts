const unstorable = /[\0\p{Cs}]/gu

/**
 * A text as every engine can store it: NUL and lone surrogates, which databases cut off or reject,
 * become U+FFFD.
 */
export function storedText(text: string): string {
  return text.replace(unstorable, '\ufffd')
}
