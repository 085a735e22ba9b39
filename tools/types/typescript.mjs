import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The compiler as a library: the one that the check of published types brings, because the compiler of the build has no such form. */
export const ts = createRequire(`${root}node_modules/@arethetypeswrong/core/package.json`)('typescript')

/** How a strict user compiles. */
export const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
  typeRoots: [`${root}node_modules/@types`],
}
