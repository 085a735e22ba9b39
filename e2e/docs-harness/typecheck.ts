import { join } from 'node:path'
import { root, writeFiles } from '../support/places.ts'
import { run } from '../support/run.ts'

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  moduleDetection: 'force',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
}

/** Type-checks all modules below a folder of the repository against the built packages, and returns the complaints. */
export async function typecheck(folder: string): Promise<string> {
  await writeFiles(folder, { 'tsconfig.json': JSON.stringify({ compilerOptions, include: ['**/*.ts'] }) })
  const { output } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--pretty', 'false', '-p', '.'], {
    cwd: folder,
  })
  // TS18003: no page has a ts block, which is no complaint.
  return output.includes('error TS18003') ? '' : output.trim()
}
