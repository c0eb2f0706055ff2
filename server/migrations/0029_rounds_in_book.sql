-- Rounds whose last entry is not written yet, found without reading those of years (docs/open-book.md §2).

create index concurrently rounds_in_book on rounds (closes_at) where book = 'open';
