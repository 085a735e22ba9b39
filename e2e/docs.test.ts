import { testPages } from './docs-harness/test-pages.ts'

await testPages('others')
