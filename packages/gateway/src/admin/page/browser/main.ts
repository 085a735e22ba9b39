import type { PageHost } from './page-host.ts'
import { startPage } from './start-page.ts'

// The one file that does something when it is loaded: browsers start here.
startPage(globalThis as unknown as PageHost)
