/**
 * Whether messages stay until they are closed, and redirects wait: the visitor's choice in the
 * footer, which the script in the head of the page applies. Only in browsers.
 */
export const keepsMessages = () => document.documentElement.dataset.messages === 'kept'
