import * as z from 'zod/mini'

/** The schema of a file that may hold anything. */
export function anySchema() {
  return z.unknown()
}

/** The schema of a file with contracts and nothing else; what a contract may hold is for `buildContract` to say. */
export function contractsSchema() {
  // A name is sent in a header of every reply.
  return z.strictObject({ contracts: z.record(z.string().check(z.regex(/^[\w.-]{1,100}$/)), z.looseObject({})) })
}
