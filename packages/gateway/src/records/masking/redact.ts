import { isMaskable, maskSecretShapes, redactor } from '@stickler/core/internal'

/** Removes known secrets and whatever looks like one from a line; in a harmless line only known secrets are searched. */
type Redact = (line: string, isHarmless?: boolean) => string

/** Makes a function that removes known secrets and whatever looks like one from a line; `secrets` returns the current list. */
export function createRedactor(secrets: SecretList = noSecrets): Redact {
  // A line is JSON, so secrets appear in it with the escapes of JSON.
  const mask = liveMask(secrets, (secret) => JSON.stringify(secret).slice(1, -1))
  return (line, isHarmless = false) => {
    const safe = mask(line)
    if (isHarmless && safe === line) return line
    return maskSecretShapes(safe)
  }
}

const none: readonly string[] = []
const noSecrets: SecretList = () => none

/** The current secrets; a new list after every change. */
export type SecretList = () => readonly string[]

/** Makes a mask of whole secrets that follows the list; `write` gives the form that a secret has in the texts. */
export function liveMask(secrets: SecretList, write: (secret: string) => string = (secret) => secret): (text: string) => string {
  let list: readonly string[] | undefined
  let mask = (text: string): string => text
  return (text) => {
    const current = secrets()
    if (current !== list) {
      list = current
      mask = redactor(current.filter(isMaskable).map(write))
    }
    return mask(text)
  }
}
