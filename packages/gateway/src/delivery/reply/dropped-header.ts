/** Longest name of a field in the header. */
const longestName = 80
const mostNames = 32
const mostCharacters = 900

/** The header that lists dropped fields; empty when there are none. */
export function droppedHeader(names: readonly string[]): Readonly<Record<string, string>> {
  if (names.length === 0) return noHeaders
  const told: string[] = []
  let length = 0
  for (const name of new Set(names.map(nameInHeader))) {
    length += name.length + 2
    if (told.length === mostNames || length > mostCharacters) return { 'x-stickler-dropped': `${told.join(', ')}, ...` }
    told.push(name)
  }
  return { 'x-stickler-dropped': told.join(', ') }
}

const noHeaders: Readonly<Record<string, string>> = {}

/** Names of unknown fields come from clients. */
function nameInHeader(name: string): string {
  return name.slice(0, longestName).replace(/[^\w.[\]-]/g, '_')
}
