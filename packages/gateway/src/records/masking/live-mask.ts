import { isMaskable, redactor } from '@stickler/core/runners'

/** The secrets that hold now; a new list after every change. */
export type SecretList = () => readonly string[]

/** Makes a mask of whole secrets that follows the list; `write` tells how a secret stands in the texts. */
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
