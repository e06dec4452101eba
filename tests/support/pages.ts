import type { FastifyInstance } from 'fastify'
import { NO_SETTINGS } from '#app/shared/model/shop-settings.ts'
import { readConfig } from '#server/config.ts'
import { pagePolicyOf } from '#server/headers.ts'
import { builtSite, serveSite } from '#server/site.ts'

const CURRENCIES = { currencyDisplay: 'INR' }

/** Serves the pages of the build in a shop of a test. */
export const servePages = (app: FastifyInstance) =>
  serveSite(app, {
    load: builtSite,
    settings: () => ({ ...NO_SETTINGS, ...CURRENCIES, payments: 'test', sendsEmail: false }),
    policy: pagePolicyOf(readConfig({})),
  })
