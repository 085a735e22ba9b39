export { openPluginHost, openPluginThreads, type PluginThreads } from './services/judging/plugin-threads.ts'
