import type { Certificate } from '../../contract/certificate.ts'

/**
 * Maximum changes of a repair that a reply and a record list; all of them are made. A text can need
 * one for every second character.
 */
export const mostRepairs = 1000

/** An outcome that lists no more changes than that. */
export function withListedRepairs<Ended extends { readonly repairs: readonly Certificate[] }>(ended: Ended): Ended {
  return ended.repairs.length <= mostRepairs ? ended : { ...ended, repairs: ended.repairs.slice(0, mostRepairs) }
}
