// Loads the attack and the packages from their sources, as the tests do: `npm run attack -- --help`.
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const server = await createServer({
  configFile: at('../vitest.config.ts'),
  root: at('..'),
  logLevel: 'error',
  appType: 'custom',
  optimizeDeps: { noDiscovery: true, include: [] },
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
})
const { main } = await server.ssrLoadModule('/attack/main.ts')
process.exitCode = await main(process.argv.slice(2))
await server.close()
