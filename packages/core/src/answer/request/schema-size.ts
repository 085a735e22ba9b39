type Wrong = (param: string, message: string, code: string) => Error

/** What a schema that checks will read may contain: objects, as in schemas of contracts; keys and entries of lists; and characters of all of these. */
const mostObjects = 20_000
const mostEntries = 50_000
const mostCharacters = 500_000

/** Throws for a schema of a client that is too large to check answers against; says whether anything in it may be a reference. */
export function checkSchemaSize(schema: unknown, param: string, wrong: Wrong): boolean {
  const tooLarge = (limit: string): Error => wrong(param, `is too large a schema: it contains more than ${limit}`, 'schema_too_large')
  const open: unknown[] = [schema]
  let objects = 0
  let entries = 0
  let characters = 0
  let refers = false
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') characters += next.length
    if (typeof next === 'object' && next !== null) {
      const inner: readonly unknown[] = Array.isArray(next) ? next : Object.values(next)
      entries += inner.length
      if (inner !== next) {
        objects++
        for (const key of Object.keys(next)) {
          characters += key.length
          if (key.endsWith('Ref') || key === '$ref') refers = true
        }
      }
      for (const one of inner) if (typeof one === 'string' || typeof one === 'object') open.push(one)
    }
    if (objects > mostObjects) throw tooLarge(`${mostObjects} objects`)
    if (entries > mostEntries) throw tooLarge(`${mostEntries} keys and entries of lists`)
    if (characters > mostCharacters) throw tooLarge(`${mostCharacters} characters`)
  }
  return refers
}
