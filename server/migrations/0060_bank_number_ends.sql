-- Bank numbers by their last digits, as people read them out.

create index concurrently banks_number_end on banks (reverse(account_number) collate "C");
