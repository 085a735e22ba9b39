// Keeps modules out of what a package loads at its start: where they are imported there is a stand-in, which requires them when it is used.
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const helpers = fileURLToPath(new URL('late-modules.mjs', import.meta.url))
const mark = '?late'

/** The plugin, for modules by their paths below `dist`; each must be an entry too, at the same path below `late`. */
export function loadedLate(dist, modules) {
  const late = new Map(modules.map((path) => [join(dist, `${path}.js`), path]))
  return {
    name: 'loaded-late',
    resolveId(source, importer, { kind }) {
      if (importer === undefined || kind !== 'import-statement' || !source.startsWith('.')) return null
      const id = join(dirname(importer), source)
      return late.has(id) ? `${id}${mark}` : null
    },
    async load(id) {
      if (!id.endsWith(mark)) return null
      const module = id.slice(0, -mark.length)
      return standIn(await import(pathToFileURL(module).href), late.get(module))
    },
    generateBundle(_options, made) {
      for (const chunk of Object.values(made))
        chunk.code = chunk.code.replaceAll('LATE_FOLDER', relative(dirname(chunk.fileName), 'late').replace(/^(?!\.)/, './'))
    },
  }
}

/** Functions and validators can stand in for themselves; whoever imports anything else finds it missing, and the build fails. */
function standIn(exported, path) {
  const lines = Object.entries(exported).flatMap(([name, value]) => {
    if (typeof value !== 'function' || /^class\b/.test(String(value))) return []
    if (value.definition === undefined) return [`export const ${name} = (...given) => load().${name}(...given)`]
    const { name: called, ...rest } = value.definition
    return [`export const ${name} = lateValidator(${JSON.stringify(called)}, ${JSON.stringify(Object.keys(rest))}, () => load().${name})`]
  })
  return [`import { late, lateValidator } from ${JSON.stringify(helpers)}`, `const load = late(${JSON.stringify(path)})`, ...lines].join(
    '\n',
  )
}
