/** Handles SIGHUP for a process that is still starting: a signal during startup is handled after it. */
export interface Hangups {
  /** Handles each one from now on. */
  answer(listener: () => void): void
  forget(): void
}

/** Listens from now on, so that SIGHUP does not end the process. */
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
