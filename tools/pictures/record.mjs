import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const asTerminal = new URL('as-terminal.mjs', import.meta.url).href

/** Runs the command of a scene and returns the lines to show, with their colours. */
export async function record({ shown, args, terminal, until = [] }) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env
  const all = [...(terminal ? ['--import', asTerminal] : []), ...args]
  const stdout = await new Promise((resolve, reject) => {
    // A check that finds something ends with 1, which is what the picture is about.
    execFile(process.execPath, all, { cwd: root, env: { ...env, TERM: 'xterm' }, timeout: 60_000 }, (error, printed, complaint) => {
      if (complaint === '' && (error === null || error.code === 1)) resolve(printed)
      else reject(new Error(`${shown}: ${complaint || error?.message}`))
    })
  })
  const lines = stdout.replaceAll('tools/pictures/', '').trimEnd().split('\n')
  const end = lines.findIndex((line) => until.some((last) => last.test(line)))
  return [`\u001b[2m$\u001b[0m \u001b[1m${shown}\u001b[0m`, ...(end < 0 ? lines : [...lines.slice(0, end + 1), '\u001b[2m…\u001b[0m'])]
}
