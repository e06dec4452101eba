import type { DomainModule, OpenedModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { paymentAdminCalls } from '../admin-contract.ts'
import { paymentCalls } from '../contract.ts'
import { orderMoneyCalls } from '../order-admin-contract.ts'
import { refundCalls } from '../refund-contract.ts'
import { paymentAdminHandlers } from './admin/api.ts'
import {
  countPaymentsByState,
  countPaymentsNeedingAttention,
  countReservations,
} from './admin/metrics-store.ts'
import { orderMoneyHandlers } from './admin/order-api.ts'
import { paymentHandlers, refundHandlers, serveScripts } from './api.ts'
import { openChanging, openPayments, type PaymentSettings, paymentLines } from './context.ts'
import { examineMethods, examinePayments } from './doctor/doctor.ts'
import { examineRefunds } from './doctor/refunds.ts'
import { paymentJobs } from './jobs.ts'
import { deleteContacts } from './start-store.ts'
import { AUDITED_PAYMENTS, paymentsOfUser } from './store.ts'
import { returnTestOrders } from './test-orders.ts'

export const payments: DomainModule<PaymentSettings> = {
  async open(options): Promise<OpenedModule> {
    const { db, counters, settings } = options
    const limitsNetworks = settings.RATE_LIMIT === 'on'
    const context = await openPayments(options)
    const { all } = context.providers
    const returnTests = async () => {
      if (context.providers.current?.mode === 'live') await returnTestOrders(db, context)
    }
    await returnTests()
    return {
      calls: [
        serve(paymentCalls, paymentHandlers({ db, context, counters, limitsNetworks })),
        serve(refundCalls, refundHandlers({ db })),
        serve(paymentAdminCalls, paymentAdminHandlers({ db, context })),
        serve(orderMoneyCalls, orderMoneyHandlers({ db, context })),
        ...all.flatMap(({ calls = [] }) => calls),
      ],
      addRoutes: serveScripts(all),
      jobs: paymentJobs(db, context),
      get pageSettings() {
        return { payments: context.providers.current?.mode ?? 'none' }
      },
      async refresh() {
        Object.assign(context, await openChanging(options))
        await returnTests()
      },
      startupLines: paymentLines(context, options),
    }
  },
  personalData: {
    // also payments that were started and never paid
    payments: {
      section: paymentsOfUser,
      erase: (tx, { userId }) => deleteContacts(tx, userId),
    },
    captures: {
      section: 'Those of a customer are with their payment.',
      erase: 'Entered money names the admin by the id, which stays in the history, too.',
    },
    refunds: {
      section: 'Those of a customer are with their payment.',
      erase: 'It names the admin who asked for it by the id, which stays in the history, too.',
    },
  },
  gauges: [
    { name: 'haat_payments', help: 'Payments, by their state', count: countPaymentsByState },
    {
      name: 'haat_payments_needing_attention',
      help: 'Payments that need attention, by their state',
      count: countPaymentsNeedingAttention,
    },
    {
      name: 'haat_reservations',
      help: 'Stock reservations of started payments',
      count: countReservations,
    },
  ],
  examine: examinePayments,
  examineData: async (db, settings) => [
    ...(await examineMethods(db, settings)),
    ...(await examineRefunds(db, settings)),
  ],
  auditedRows: AUDITED_PAYMENTS,
}
