import type { FastifyInstance } from 'fastify'
import { STORED_GROUPS } from '#app/shared/server/stored-settings/stored-settings.ts'
import type { Config } from './config.ts'
import { startJobs } from './jobs.ts'
import type { OpenedSettings } from './stored-settings.ts'

/** How often a process looks for settings that another one has stored. */
const REFRESH_MS = 2000

/** Follows the stored settings: modules and pages use new ones without a restart. */
export function followStoredSettings(
  app: FastifyInstance,
  { config, stored }: { config: Config; stored: OpenedSettings },
) {
  const warn = () => {
    for (const group of STORED_GROUPS) {
      const problem = stored.problemOf(group)
      if (problem !== null) app.log.warn({ group, problem }, 'stored settings are not used')
    }
  }
  warn()
  stored.onChange(async () => {
    warn()
    for (const { refresh } of app.modules) await refresh?.()
    app.pages?.clear()
  })
  // without a server, this process is the only one
  if (!config.DATABASE_URL) return
  const job = { name: 'reading stored settings', everyMs: REFRESH_MS, run: stored.refresh }
  const following: { close: () => Promise<void> }[] = []
  app.addHook('onListen', async () => {
    following.push(startJobs([job], app.log, REFRESH_MS))
  })
  app.addHook('onClose', async () => {
    for (const { close } of following) await close()
  })
}
