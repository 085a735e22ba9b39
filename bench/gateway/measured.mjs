import { promiseHooks } from 'node:v8'

/** Loaded before a server, whatever it is: tells the benchmark what its process uses, and ends with it. */
let promises = 0
if (process.env.COUNT_PROMISES !== undefined) promiseHooks.onInit(() => promises++)
process.on('message', () => process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss(), promises }))
process.on('disconnect', () => process.exit())
process.channel?.unref()
