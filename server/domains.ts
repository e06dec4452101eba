import type { FastifyInstance } from 'fastify'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { accountCalls } from '#app/accounts/contract.ts'
import { userAdminHandlers } from '#app/accounts/server/admin-api.ts'
import { accountHandlers, sessionHandlers } from '#app/accounts/server/api.ts'
import { findCaller } from '#app/accounts/server/sessions.ts'
import { sessionCalls } from '#app/accounts/session-contract.ts'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { categoryCalls } from '#app/categories/contract.ts'
import { categoryAdminHandlers, categoryHandlers } from '#app/categories/server/api.ts'
import { ledgerCalls } from '#app/ledger/admin-contract.ts'
import { ledgerHandlers } from '#app/ledger/server/api.ts'
import { orderAdminCalls, orderCsvCalls } from '#app/orders/admin-contract.ts'
import { orderCalls } from '#app/orders/contract.ts'
import { orderAdminHandlers } from '#app/orders/server/admin-api.ts'
import { orderHandlers } from '#app/orders/server/api.ts'
import { orderCsvHandlers } from '#app/orders/server/csv/api.ts'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { paymentCalls, sandboxCalls } from '#app/payments/contract.ts'
import { paymentAdminHandlers } from '#app/payments/server/admin/api.ts'
import { paymentHandlers, sandboxHandlers, serveSandboxScript } from '#app/payments/server/api.ts'
import { productAdminCalls, productCsvCalls } from '#app/products/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { searchCalls } from '#app/products/search-contract.ts'
import { productAdminHandlers } from '#app/products/server/admin/api.ts'
import { productHandlers } from '#app/products/server/api.ts'
import { productCsvHandlers } from '#app/products/server/csv/api.ts'
import { searchHandlers } from '#app/products/server/search/api.ts'
import type { Contract } from '#app/shared/contract/endpoint.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { type Handlers, type Identify, mount } from '#app/shared/server/mount.ts'
import type { AppOptions } from './app.ts'
import { refusingForwarded } from './demo/keep-demo-local.ts'

type Open = <C extends Contract>(contract: C, handlers: Handlers<C>) => void

function openPayments(api: FastifyInstance, open: Open, { db }: AppOptions) {
  const { desk, sandbox, webhookSecrets } = api.payments
  open(paymentCalls, paymentHandlers({ db, desk, webhookSecrets }))
  open(paymentAdminCalls, paymentAdminHandlers({ db, holdMinutes: desk.holdMinutes }))
  if (!sandbox) return
  open(sandboxCalls, sandboxHandlers(db, sandbox))
  serveSandboxScript(api)
}

/** Mounts every domain's contract with its handlers. */
export function mountDomains(api: FastifyInstance, options: AppOptions, counters: CounterStore) {
  const { db, demo } = options
  const anybody: Identify = (token) => findCaller(db, token)
  const identify = demo ? refusingForwarded(anybody, demo.userIds) : anybody
  const open: Open = (contract, handlers) => mount(api, contract, handlers, identify, counters)
  open(accountCalls, accountHandlers({ db, counters }))
  open(sessionCalls, sessionHandlers({ db }))
  open(userAdminCalls, userAdminHandlers({ db }))
  open(categoryCalls, categoryHandlers({ db }))
  open(categoryAdminCalls, categoryAdminHandlers({ db }))
  open(productCalls, productHandlers({ db }))
  open(searchCalls, searchHandlers({ db }))
  open(productAdminCalls, productAdminHandlers({ db }))
  open(productCsvCalls, productCsvHandlers({ db }))
  open(orderCalls, orderHandlers({ db }))
  open(orderAdminCalls, orderAdminHandlers({ db }))
  open(ledgerCalls, ledgerHandlers({ db }))
  open(orderCsvCalls, orderCsvHandlers({ db }))
  openPayments(api, open, options)
}
