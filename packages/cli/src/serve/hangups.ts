/** SIGHUPs of a process that may not be ready for them yet: one that comes during the start is answered after it. */
export interface Hangups {
  /** From now on each one is answered. */
  answer(listener: () => void): void
  forget(): void
}

/** Listens from now on, so that no SIGHUP ends the process. */
export function gatherHangups(onHangup: (listener: () => void) => () => void): Hangups {
  let hasCome = false
  let listener = (): void => {
    hasCome = true
  }
  const forget = onHangup(() => listener())
  return {
    answer(next) {
      listener = next
      if (hasCome) next()
    },
    forget,
  }
}
