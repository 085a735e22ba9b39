import { dirname, join } from 'node:path'
import { ts } from '../../tools/types/typescript.mjs'
import { debts, doors, rooms } from './table.ts'

/** An import: the file that has it, and the file or package that it names. */
export type Import = readonly [from: string, to: string]

/** What a file of a package imports, types included; a path out of `packages` begins with a slash. */
export function importsOf(from: string, text: string): Import[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => {
    if (!fileName.startsWith('.')) return [from, fileName]
    const path = join(dirname(from), fileName)
    return [from, path.startsWith('packages/') ? path : `/${path}`]
  })
}

/** Imports against the table, in the order in which they are given. */
export function wrongImports(imports: readonly Import[]): string[] {
  return imports.filter((one) => !isAllowed(one)).map(([from, to]) => `${from} > ${to}`)
}

/** Cycles of folders, each as the shortest way back to one of its imports; debts do not count. */
export function folderCycles(imports: readonly Import[]): string[] {
  const graphs = new Map<string, Graph>()
  for (const one of imports) {
    if (isTest(one[0]) || !one[1].startsWith('packages/')) continue
    const { folder, from, to, shown } = branch(one)
    if (from === to || debts[folder]?.includes(shown)) continue
    const graph = entry(graphs, folder, () => new Map<string, Map<string, Step>>())
    entry(
      entry(graph, from, () => new Map<string, Step>()),
      to,
      () => ({ from, to, shown }),
    )
  }
  return [...graphs].flatMap(([folder, graph]) =>
    [...graph.keys()].flatMap((start) => {
      const way = wayBack(graph, start)
      // Told once, from the first of its rooms.
      return way.length > 0 && way.every(({ from }) => start <= from) ? [`${folder}: ${way.map(({ shown }) => shown).join(', ')}`] : []
    }),
  )
}

/** Debts that no file has any more. */
export function paidDebts(imports: readonly Import[]): string[] {
  const open = new Set(imports.map((one) => `${branch(one).folder}: ${branch(one).shown}`))
  return Object.entries(debts).flatMap(([folder, list]) => list.map((debt) => `${folder}: ${debt}`).filter((debt) => !open.has(debt)))
}

function isAllowed(one: Import): boolean {
  const [from, to] = one
  const home = packageOf(from)
  const [, scoped, door = '.'] = /^@stickler\/([^/]+)(?:\/(.+))?$/.exec(to === 'stickler' ? '@stickler/cli' : to) ?? []
  if (scoped !== undefined) return isListed(doors[home]?.[scoped], door)
  if (!to.startsWith('packages/')) return !to.startsWith('/') || isTest(from) || isTesting(from)
  if (packageOf(to) !== home)
    return (isTest(from) || isTesting(from)) && isListed(doors[home]?.[packageOf(to)], to.split('/').slice(2, 4).join('/'))
  return isTest(from) || ((isTesting(from) || !isTesting(to)) && isAllowedBeside(one))
}

function isAllowedBeside(one: Import): boolean {
  const { folder, from, to, inside } = branch(one)
  const table = rooms[folder]
  if (table === undefined || from === to) return true
  const row = table[from] ?? table[isFile(from) ? '*.ts' : '*']
  // A new room of a folder in the table needs a row, so that its place is chosen.
  if (row === undefined) return isFile(from)
  return isListed(row, to) || isListed(row, isFile(to) ? '*.ts' : '*') || isListed(row, inside)
}

/** An import between two rooms or files of one folder. */
interface Step {
  readonly from: string
  readonly to: string
  /** The files, from that folder on. */
  readonly shown: string
}

type Graph = Map<string, Map<string, Step>>

/** Where the paths of both files part: the last common folder, what leads on from there, and the rest of the path of the imported file. */
function branch([from, to]: Import): Step & { readonly folder: string; readonly inside: string } {
  const [left, right] = [from.split('/'), to.split('/')]
  let common = 0
  while (common < left.length - 1 && left[common] === right[common]) common++
  const inside = right.slice(common).join('/')
  return {
    folder: left.slice(0, common).join('/'),
    from: left[common] ?? '',
    to: right[common] ?? '',
    inside,
    shown: `${left.slice(common).join('/')} > ${inside}`,
  }
}

/** The shortest way from a room or file back to itself; empty if there is none. */
function wayBack(graph: Graph, start: string): readonly Step[] {
  const ways: (readonly Step[])[] = [[]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const step of graph.get(way.at(-1)?.to ?? start)?.values() ?? []) {
      if (step.to === start) return [...way, step]
      if (!seen.has(step.to)) ways.push([...way, step])
      seen.add(step.to)
    }
  }
  return []
}

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

const packageOf = (path: string): string => path.split('/')[1] ?? ''
const isFile = (name: string): boolean => /\.tsx?$/.test(name)
const isTest = (path: string): boolean => /\.test(-d)?\.ts$/.test(path)
const isTesting = (path: string): boolean => path.includes('/testing/')
const isListed = (row: string | undefined, name: string): boolean => row?.split(' ').includes(name) === true
