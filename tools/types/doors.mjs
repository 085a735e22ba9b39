import { readdirSync, readFileSync } from 'node:fs'
import { root, strict, ts } from './typescript.mjs'

/** Entry points for our own packages, which nobody else is promised. */
export const isInternal = (door) => /^\.\/internal(?:\/|$)/.test(door)

/** The entry points of the packages, with what each exports, read from the build. */
export function openDoors() {
  const doors = readdirSync(`${root}packages`).flatMap((folder) => {
    const { name, exports = {} } = JSON.parse(readFileSync(`${root}packages/${folder}/package.json`, 'utf8'))
    return Object.entries(exports).flatMap(([door, { types }]) =>
      types ? [{ package: folder, name: door, specifier: name + door.slice(1), file: `${root}packages/${folder}/${types.slice(2)}` }] : [],
    )
  })
  const program = ts.createProgram(
    doors.map(({ file }) => file),
    strict,
  )
  const checker = program.getTypeChecker()
  return { checker, doors: doors.map((door) => ({ ...door, exports: exportsOf(program, checker, door.file) })) }
}

/** The names that users can import, in the order of entry points and names, each with its entry points and the first sentence of its comment. */
export function publicNames() {
  const { checker, doors } = openDoors()
  const found = new Map()
  for (const door of doors.filter(({ name }) => !isInternal(name))) {
    for (const [name, symbol] of [...door.exports].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const key = `${door.package} ${name}`
      const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0
      const one = found.get(key) ?? { package: door.package, name, isValue, sentence: sentenceOf(checker, symbol), doors: [] }
      one.doors.push(door.specifier)
      found.set(key, one)
    }
  }
  return [...found.values()]
}

function exportsOf(program, checker, file) {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${file} is missing: npm run build`)
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, resolve(checker, symbol)]))
}

/** What a name stands for, through re-exports. */
export function resolve(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function sentenceOf(checker, symbol) {
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim()
  return /^.*?[.!?](?= |$)(?<!e\.g\.|i\.e\.)/.exec(comment)?.[0] ?? comment
}
