/** Loaded before a server, whatever it is: tells the benchmark what its process uses, and ends with it. */
process.on('message', () => process.send({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }))
process.on('disconnect', () => process.exit())
process.channel?.unref()
