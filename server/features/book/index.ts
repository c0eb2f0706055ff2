/**
 * Book: the public log of everything that decides a result. Owns book_logs, book_tips, book_queue, book_entries,
 * book_nodes, book_places, book_notable, book_texts, book_feeds and book_secret. Emits nothing.
 */
// oxlint-disable-next-line unicorn/require-module-specifiers -- a module without a value yet
export {}
