import { createHash } from 'node:crypto'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contract } from '@stickler/core'
import { usesParser } from '@stickler/core/internal'
import { readRegularFile } from '@stickler/node/internal/files'
import { catalogue } from '@stickler/presets'
import type { ContractChoice } from '../../config/choose-contract.ts'
import { largestFile } from '../../inputs/limits.ts'
import { version } from '../../version.ts'

/** What the verdicts of a contract depend on. */
export interface ContractIdentity {
  /** Changes with everything that may change a verdict: options, policy, preset, plugins, version. */
  readonly hash: string
  /** Checks whose verdicts also depend on something else, such as a service, and what that is. */
  readonly unrepeatable: readonly string[]
}

const outside: Readonly<Record<string, string>> = {
  remote: 'asks a service',
  command: 'runs a program',
  files: 'looks for files',
  model: 'asks a model',
  embedder: 'asks for embeddings',
}

/** Identifies a contract; `parser` is what the local parser was configured with, or undefined for a service. */
export async function identifyContract(
  contract: Contract,
  choice: Extract<ContractChoice, { readonly input: object }>,
  parser: unknown,
): Promise<ContractIdentity> {
  const { preset } = choice.input
  const needsParser = usesParser(contract)
  const known = {
    version: version(),
    input: choice.input,
    preset: typeof preset === 'string' ? catalogue.presets[preset] : preset,
    request: choice.request,
    plugins: await Promise.all(choice.plugins.loaded.map(async ({ written, module }) => [written, await hashModule(module)])),
    parser: needsParser ? parser : undefined,
  }
  const unrepeatable = contract.validators.flatMap(({ name, definition, prepared }) => {
    const ports = [...(definition.ports ?? []), ...(prepared.ports ?? []), ...(prepared.asks === undefined ? [] : [definition.name])]
    const reason = ports.map((port) => outside[port]).find((one) => one !== undefined)
    if (reason !== undefined) return [`${name} ${reason}`]
    return needsParser && parser === undefined && ports.includes('parser') ? [`${name} asks a parser service`] : []
  })
  return { hash: digest(JSON.stringify(known)), unrepeatable }
}

/** The hash of a text, short enough for names of files. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32)
}

/** The most files of a plugin that are read for its hash. */
const mostModules = 1000
/** Whatever looks like the address of another file: one that is not an import changes the hash, never a verdict. */
const relativeName = /['"](\.{1,2}\/[^'"\n]{1,500})['"]/g

/** The hash of a module and of what it imports by relative paths; packages count by their names only. */
async function hashModule(address: string): Promise<string> {
  const entry = address.startsWith('file:') ? fileURLToPath(address) : address
  const waiting = [entry]
  const seen = new Set(waiting)
  const parts: string[] = []
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const source = await readRegularFile(path, largestFile).catch(() => undefined)
    // Workers may have the same files in another folder.
    parts.push(relative(entry, path), source ?? '')
    for (const [, imported] of (source ?? '').matchAll(relativeName)) {
      const next = resolve(dirname(path), imported ?? '')
      if (seen.has(next) || seen.size >= mostModules) continue
      seen.add(next)
      waiting.push(next)
    }
  }
  return digest(JSON.stringify(parts))
}
