import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { TextSpan } from '@stickler/core'
import { isWithin } from '@stickler/node/internal/files'
import type { Io } from '../io.ts'
import type { LineIndex } from './line-index.ts'

/** A range in a text: lines and columns from 1, columns in UTF-16 units, end exclusive. */
export interface Place {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** The place of a span. */
export function placeOf({ start, end }: TextSpan, lines: LineIndex): Place {
  const from = lines.positionAt(start)
  const to = lines.positionAt(Math.max(start, end))
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column }
}

/** A place as a SARIF region. */
export function region({ line, column, endLine, endColumn }: Place): Readonly<Record<string, number>> {
  return { startLine: line, startColumn: column, endLine, endColumn }
}

/** The folder that paths in reports are relative to: the checkout on GitHub, else the current folder. */
export function sourceRoot({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  const { GITHUB_WORKSPACE: workspace } = env
  return workspace && isWithin(cwd, resolve(workspace)) ? resolve(workspace) : cwd
}

/** A file name for reports: relative to the root with slashes, or absolute when outside. */
export function pathInRoot(file: string, { root, cwd }: { readonly root: string; readonly cwd: string }): string {
  const path = resolve(cwd, file)
  return isWithin(path, root) ? slashed(relative(root, path)) : path
}

/** A path with forward slashes, as in globs and reports. */
export function slashed(path: string): string {
  return sep === '\\' && !isAbsolute(path) ? path.replaceAll('\\', '/') : path
}
