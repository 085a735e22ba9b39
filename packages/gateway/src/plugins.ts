export { openPluginHost, openPluginThreads, type PluginThreads } from './enforcement/judging/plugin-threads.ts'
