"""What travels: messages, events, and each record that Tailrace reads or writes, as frozen Structs.

Data only. `kafka_records` says which topic, key and headers each of them gets.
"""
