import { isAbsolute, relative, resolve, sep } from 'node:path'
import picomatch from 'picomatch'
import { UsageError } from '../../usage-error.ts'

/** Tells of a path whether it is ignored: by a pattern of its own, or because a folder above it is. */
export type Ignored = (path: string) => boolean

/** Reads patterns of `--ignore` as `.gitignore` has them: without a slash they match at any depth, with one they start at the current folder. */
export function readIgnored(patterns: readonly string[], cwd: string): Ignored {
  const matchers = patterns.map((pattern) => {
    if (pattern.startsWith('!')) throw new UsageError(`what is left out cannot be negated: ${pattern}`)
    const plain = pattern.replace(/^\.?\//, '').replace(/\/$/, '')
    return compile(plain.includes('/') ? [plain, `${plain}/**`] : [plain, `${plain}/**`, `**/${plain}`, `**/${plain}/**`], { dot: true })
  })
  return (path) => {
    const inside = slashed(relative(cwd, resolve(cwd, path)))
    return matchers.some((matches) => matches(inside))
  }
}

/** Compiles globs; one that cannot be read is a usage error. */
export function compile(globs: readonly string[], options: { readonly dot: boolean }): (path: string) => boolean {
  try {
    return picomatch([...globs], { ...options, noextglob: true, posix: true, windows: false })
  } catch (error) {
    throw new UsageError(`cannot read the pattern ${globs[0]}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** A path with slashes, as globs and reports have it. */
export function slashed(path: string): string {
  return sep === '\\' && !isAbsolute(path) ? path.replaceAll('\\', '/') : path
}
