import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { resolveValue, type Toast, ToastBar, Toaster, toast } from 'react-hot-toast'
import { useToastContainer } from '../dialog/toast-container.ts'
import { keepsMessages } from '../theme/keeps-messages.ts'
import { Announcements } from './announcements.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useSlowNavigation } from './use-slow-navigation.ts'

export { announce } from './announcements.tsx'
export { arrive } from './focus-page.ts'
export { toast }

const TOAST = {
  border: '1px solid var(--color-base-300)',
  background: 'var(--color-base-100)',
  color: 'var(--color-base-content)',
}

/**
 * The live region of every page, with its toasts and the texts that are only heard. It is there before
 * its texts; a toast that brought a region of its own would not be announced reliably. While a modal
 * dialog is open it is rendered inside it, because its backdrop would cover the toasts, and the page
 * below is hidden from screen readers. Toasts disappear by themselves, unless the visitor keeps them.
 */
export function Toasts() {
  useKeptFocus()
  useSlowNavigation()
  const container = useToastContainer()
  const keeps = useKeepsMessages()
  const region = (
    <div
      role="status"
      aria-atomic="false"
      className="pointer-events-none fixed inset-x-0 top-0 z-50 h-px"
    >
      <Announcements />
      <Toaster
        toastOptions={{ style: TOAST, ...(keeps && { duration: Number.POSITIVE_INFINITY }) }}
      >
        {(one) => (
          <ToastBar toast={one}>
            {({ icon }) => (
              <>
                {icon}
                <p className="wrap-anywhere mx-2.5 my-1 min-w-0">
                  {resolveValue(one.message, one)}
                </p>
                {keeps && <CloseButton of={one} />}
              </>
            )}
          </ToastBar>
        )}
      </Toaster>
    </div>
  )
  return container ? createPortal(region, container) : region
}

/** Follows the choice of the visitor while the page is open. */
function useKeepsMessages(): boolean {
  const [keeps, setKeeps] = useState(keepsMessages)
  useEffect(() => {
    const observer = new MutationObserver(() => setKeeps(keepsMessages()))
    observer.observe(document.documentElement, { attributeFilter: ['data-messages'] })
    return () => observer.disconnect()
  }, [])
  return keeps
}

function CloseButton({ of: { id, message } }: { of: Toast }) {
  return (
    <button
      type="button"
      aria-label={`Close: ${message}`}
      onClick={() => toast.dismiss(id)}
      className="btn btn-ghost btn-sm btn-square"
    >
      ✕
    </button>
  )
}
