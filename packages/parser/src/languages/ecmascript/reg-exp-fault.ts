/** What older engines do not know yet, or what is too much for them: no reason to reject. */
const excused = /duplicate capture group name|invalid property name|too large|too many captures|stack/i

/** Why a regular expression is not one; undefined when it may be. The running engine reads it, with the newer syntax taken out. */
export function regExpFault(pattern: string, flags: string): string | undefined {
  try {
    // Modifiers, as in (?i:…), are newer than the oldest engine.
    // backtracks: it is compiled, and never run
    new RegExp(pattern.replace(/\(\?[ims]*(?:-[ims]*)?:/g, '(?:'), flags)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? (/: ([^:]*)$/.exec(error.message)?.[1] ?? '') : ''
    return excused.test(reason) || !(error instanceof SyntaxError) || reason === ''
      ? undefined
      : reason.charAt(0).toLowerCase() + reason.slice(1)
  }
}
