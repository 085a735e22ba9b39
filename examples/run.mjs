// npm run example NAME: runs an example on every supported Node, also where Node does not read TypeScript.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const file = fileURLToPath(new URL(`./${process.argv[2]}.ts`, import.meta.url))
if (existsSync(file)) await runnerImport(file)
else {
  process.stderr.write('npm run example NAME, with the name of a .ts file in examples/\n')
  process.exitCode = 2
}
