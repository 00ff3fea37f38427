"""What reads from outside, under a fuzzer: any bytes are read, or refused by one line, and nothing else happens."""
