import type { PageHost } from './page-host.ts'
import { startPage } from './start-page.ts'

// The only module with an effect on load: browsers start here.
startPage(globalThis as unknown as PageHost)
