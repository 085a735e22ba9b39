import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../packages/cli/bin/stickler.js', import.meta.url))

/** Serves the configuration of a folder in a process of its own. */
export async function startServe(folder) {
  const child = spawn(process.execPath, [bin, 'serve', '--json'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return {
    url: JSON.parse(line).url,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
