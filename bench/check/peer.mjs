import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** The program that only the benchmark uses: markdownlint-cli2, which reads the same files by rules of style. */
export const peer = fileURLToPath(new URL('node_modules/markdownlint-cli2/markdownlint-cli2-bin.mjs', import.meta.url))

/** Installs it on first use; tells why not when that is impossible. */
export async function installPeer() {
  if (existsSync(peer)) return undefined
  try {
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder])
    return undefined
  } catch (error) {
    return String(error.stderr || error.message).split('\n')[0]
  }
}
