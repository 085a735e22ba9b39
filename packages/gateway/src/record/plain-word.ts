/** Whether a reason is one word, as those of providers are, and not a sentence that may quote. */
export function isPlainWord(reason: string | undefined): boolean {
  return reason === undefined || /^[\w-]{1,40}$/.test(reason)
}
