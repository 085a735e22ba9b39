import { addPluginHooks } from './add-plugin-hooks.ts'

// An entry for `node --import`: tests of plugins run where nothing is installed.
addPluginHooks()
