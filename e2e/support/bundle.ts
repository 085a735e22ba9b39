import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './places.ts'

/** A bundle as a user's build makes it. */
export interface Bundle {
  readonly code: string
  /** The modules that are left in it, relative to the repository. */
  readonly modules: readonly string[]
}

/** Bundles a program that uses the built packages into one file, or without what it loads later. */
export async function bundle(source: string, platform: 'browser' | 'node', minify = false, withoutLater = false): Promise<Bundle> {
  const entry = join(root, 'packages/cli/program.mjs')
  const bundled = await rolldown({
    input: entry,
    platform,
    logLevel: 'silent',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) => (id === entry ? source : null),
      },
    ],
  })
  try {
    const { output } = await bundled.generate({ format: 'es', codeSplitting: withoutLater, minify })
    const started = new Set([output[0].fileName])
    for (const name of started)
      for (const one of output) if (one.fileName === name && one.type === 'chunk') for (const path of one.imports) started.add(path)
    const chunks = output.filter((one) => one.type === 'chunk').filter(({ fileName }) => started.has(fileName))
    const code = chunks.map((one) => one.code).join('\n')
    const used = chunks.flatMap(({ modules }) => Object.entries(modules)).filter(([, { renderedLength }]) => renderedLength > 0)
    return { code, modules: used.map(([id]) => id.replace(`${root}/`, '').replaceAll('\\', '/')) }
  } finally {
    await bundled.close()
  }
}
