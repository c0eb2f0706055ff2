import type { Plugin } from 'vite'

const hint = '//# allFunctionsCalledOnLoad\n'

/**
 * Has Chromium compile each file's functions while it arrives, off the main thread, and not one by one as they are first
 * called (https://v8.dev/blog/explicit-compile-hints). The comment counts only where nothing stands before it: the
 * bundler's own banner comes below the list of files that Vite writes into those with a dynamic import.
 */
export function compileHints(): Plugin {
  return {
    name: 'compile-hints',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, written) {
        for (const file of Object.values(written)) {
          if (file.type === 'chunk') file.code = `${hint}${file.code}`
        }
      },
    },
  }
}
